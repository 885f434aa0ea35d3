import { setImmediate as nextTurn } from 'node:timers/promises'

const entriesPerPiece = 100

export const isLong = (body: unknown): body is object =>
  Array.isArray(body) ? body.length > entriesPerPiece : isPlain(body) && Object.keys(body).length > entriesPerPiece

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype

export async function jsonInPieces(body: object): Promise<string> {
  const isArray = Array.isArray(body)
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
