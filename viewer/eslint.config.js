import js from '@eslint/js';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'live', 'node_modules', 'test/out'] },
  js.configs.recommended,
  ...ts.configs.strict,
  { rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
