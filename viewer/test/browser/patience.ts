/** ms, for what a page is to do; longer than any machine needs that draws in software beside other work: only what hangs takes it. */
export const PATIENCE = 300_000;
