const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxBytes = 256 * 1024

export function findPngFault(body: Buffer, size: number): string | null {
  // A PNG starts with an eight-byte signature, followed by the header chunk: its length and name, and the image's width and height.
  if (body.length < 33 || !body.subarray(0, 8).equals(pngSignature) || body.toString('latin1', 12, 16) !== 'IHDR')
    return 'is not a PNG.'
  if (body.toString('latin1', body.length - 8, body.length - 4) !== 'IEND') return 'is incomplete.'
  const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)]
  if (width !== size || height !== size) return `has ${width} by ${height} pixels; it must have ${size} by ${size}.`
  return body.length > maxBytes ? `has ${Math.ceil(body.length / 1024)} KB; at most ${maxBytes / 1024}.` : null
}
