/** What was written to be read back, by what was read. */
const texts = new WeakMap<object, string>()

/** What somebody reads who is sent this as JSON. */
export function readBack(body: unknown): unknown {
  const text = JSON.stringify(body)
  const data: unknown = JSON.parse(text)
  if (typeof data === 'object' && data !== null) texts.set(data, text)
  return data
}

/** As JSON; of what `readBack` has read and nobody has changed it is not written again. */
export const jsonOf = (data: unknown): string =>
  (typeof data === 'object' && data !== null ? texts.get(data) : undefined) ?? JSON.stringify(data)
