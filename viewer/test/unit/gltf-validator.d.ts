// Of the validator's interface only what the tests use.
declare module 'gltf-validator' {
  interface Report {
    issues: { messages: { code: string; message: string; pointer?: string }[] };
    info: { version: string; animationCount: number; totalTriangleCount: number };
  }
  export function validateBytes(data: Uint8Array, options?: { maxIssues?: number }): Promise<Report>;
}
