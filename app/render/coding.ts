/** Browsers send five codings. */
const maxCodings = 20

export function codingOf(accepted = '', available: { br?: unknown; gzip?: unknown }): 'br' | 'gzip' | null {
  const acceptedCodings = accepted
    .split(',', maxCodings)
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  const accepts = (coding: string): boolean =>
    acceptedCodings.some(
      ([name, ...rest]) => name === coding && Number(rest.find((word) => word.startsWith('q='))?.slice(2) ?? 1) > 0,
    )
  if (available.br && accepts('br')) return 'br'
  return available.gzip && accepts('gzip') ? 'gzip' : null
}
