import { setImmediate as nextTurn } from 'node:timers/promises'

const entriesPerPiece = 100

/** Whether a body is an array or a plain object that is too long to be written as JSON at once. */
export const isLong = (body: unknown): body is object =>
  Array.isArray(body) ? body.length > entriesPerPiece : isPlain(body) && Object.keys(body).length > entriesPerPiece

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype

/** Writes a long array or object as JSON, a hundred entries at a time. Other requests run in between. */
export async function jsonInPieces(body: object): Promise<string> {
  const isArray = Array.isArray(body)
  // As in JSON.stringify, an undefined entry is left out of an object.
  const entries = Object.entries(body).filter(([, value]) => isArray || value !== undefined)
  const pieces: string[] = []
  for (let start = 0; start < entries.length; start += entriesPerPiece) {
    if (start > 0) await nextTurn()
    const piece = entries.slice(start, start + entriesPerPiece)
    const text = JSON.stringify(isArray ? piece.map(([, value]) => value as unknown) : Object.fromEntries(piece))
    pieces.push(text.slice(1, -1))
  }
  return isArray ? `[${pieces.join(',')}]` : `{${pieces.join(',')}}`
}
