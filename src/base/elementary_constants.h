// Constants of elementary.c, written by tools/make_elementary.py: do not edit.
#ifndef VS_BASE_ELEMENTARY_CONSTANTS_H
#define VS_BASE_ELEMENTARY_CONSTANTS_H

#include <stdint.h>

#include "base/double_double.h"

// clang-format off
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1, INVERSE_LN2 = 0x1.71547652b82fep+0;
static const vs_double_double PI_PAIR = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const vs_double_double HALF_PI_PAIR = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const vs_double_double INVERSE_LN10_PAIR = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

// pi/2 in parts of 33 bits: multiples up to 2^20 are exact.
static const double HALF_PI_PARTS[] = {
    0x1.921fb54400000p+0,
    0x1.0b4611a600000p-34,
    0x1.3198a2e000000p-69,
    0x1.b839a252049c1p-104,
};

// ln 2 in parts of 42 bits: multiples by exponents are exact.
static const double LN2_PARTS[] = {
    0x1.62e42fefa3800p-1,
    0x1.ef35793c76800p-45,
    -0x1.9ff0342542fc3p-90,
};

// 1/(2 k + 1), k = 0 ...
static const vs_double_double ODD_INVERSE[] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.5555555555555p-2, 0x1.5555555555555p-56},
    {0x1.999999999999ap-3, -0x1.999999999999ap-57},
    {0x1.2492492492492p-3, 0x1.2492492492492p-57},
    {0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58},
    {0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59},
    {0x1.3b13b13b13b14p-4, -0x1.3b13b13b13b14p-58},
    {0x1.1111111111111p-4, 0x1.1111111111111p-60},
    {0x1.e1e1e1e1e1e1ep-5, 0x1.e1e1e1e1e1e1ep-61},
    {0x1.af286bca1af28p-5, 0x1.af286bca1af28p-59},
    {0x1.8618618618618p-5, 0x1.8618618618618p-59},
    {0x1.642c8590b2164p-5, 0x1.642c8590b2164p-60},
    {0x1.47ae147ae147bp-5, -0x1.eb851eb851eb8p-61},
    {0x1.2f684bda12f68p-5, 0x1.2f684bda12f68p-59},
    {0x1.1a7b9611a7b96p-5, 0x1.1a7b9611a7b96p-61},
    {0x1.0842108421084p-5, 0x1.0842108421084p-60},
    {0x1.f07c1f07c1f08p-6, -0x1.f07c1f07c1f08p-61},
    {0x1.d41d41d41d41dp-6, 0x1.0750750750750p-60},
    {0x1.bacf914c1bad0p-6, -0x1.bacf914c1bad0p-60},
    {0x1.a41a41a41a41ap-6, 0x1.0690690690690p-60},
};

// 1/k!, k = 0 ...
static const vs_double_double INVERSE_FACTORIAL[] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.0000000000000p-1, 0x0.0p+0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
    {0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},
    {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
    {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
    {0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124},
    {0x1.761b41316381ap-75, -0x1.3423c7d91404fp-130},
    {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
    {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
};

// atan(k/8), k = 0 ... 8
static const vs_double_double ATAN_EIGHTHS[] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// sin(k/16) and cos(k/16), k = 0 ... 13
static const vs_double_double SINE_SIXTEENTHS[] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ffaaaeeed4edbp-5, -0x1.2d16d32684b69p-59},
    {0x1.feaaeee86ee36p-4, -0x1.afcb2bcc6f03bp-59},
    {0x1.7dc102fbaf2b5p-3, 0x1.5ab50e23c97c3p-59},
    {0x1.faaeed4f31577p-3, -0x1.15d88508e32b8p-57},
    {0x1.3ad129769d3d8p-2, 0x1.03d550487839ap-63},
    {0x1.7710255764214p-2, -0x1.6ead7314bb6cep-57},
    {0x1.b1d8305321617p-2, -0x1.ae242cb99f519p-56},
    {0x1.eaee8744b05f0p-2, -0x1.789b43c9b027dp-58},
    {0x1.110d0c4b69c3bp-1, 0x1.d918998809981p-55},
    {0x1.2b91dea88421ep-1, -0x1.fa371db216ab0p-55},
    {0x1.44eb381cf386bp-1, -0x1.3ed6c1e6a5505p-55},
    {0x1.5cffc16bf8f0dp-1, 0x1.96cb370eb578ap-55},
    {0x1.73b7680dea578p-1, -0x1.2248306dc12a2p-56},
};

static const vs_double_double COSINE_SIXTEENTHS[] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.ff0015549f4d3p-1, 0x1.328387b99426fp-55},
    {0x1.fc015527d5bd3p-1, 0x1.b68f35094efb8p-55},
    {0x1.f706bdf9ece1cp-1, -0x1.698c80c36dcb4p-55},
    {0x1.f01549f7deea1p-1, 0x1.d3c1e99e5cafdp-55},
    {0x1.e733ea0193d40p-1, -0x1.6428b3546ce13p-55},
    {0x1.dc6b7eb995912p-1, 0x1.4b364776dcd35p-58},
    {0x1.cfc6cfa52ad9fp-1, 0x1.8b5b5508f2a0dp-55},
    {0x1.c1528065b7d50p-1, -0x1.892111312e828p-55},
    {0x1.b11d04162a4c6p-1, 0x1.1dd561efbc0c2p-56},
    {0x1.9f368ed912f85p-1, -0x1.1d200c5791606p-55},
    {0x1.8bb105a5dc900p-1, 0x1.863e03e9474c1p-55},
    {0x1.769fec655211fp-1, -0x1.827d5cf8c68c5p-57},
    {0x1.6018526f563dfp-1, 0x1.46ca5e0e432d0p-55},
};

// Binary digits of 2/pi after the point, 32 per word.
static const uint32_t TWO_OVER_PI_DIGITS[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
};

// clang-format on

#endif
