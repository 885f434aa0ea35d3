declare module 'fontkit' {
  /** Parses a font. The parsed data stay in memory for as long as the font does. */
  export function create(file: Uint8Array): object
}
