declare module 'fontkit' {
  /** Parses a font; what it finds is kept for as long as the font is. */
  export function create(file: Uint8Array): object
}
