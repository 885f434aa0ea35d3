/** Parses JSON. Returns `undefined` if the text is not JSON. */
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
