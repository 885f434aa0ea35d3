/** Maximum number of content codings that are read from an Accept-Encoding header. Browsers send at most five. */
const maxCodings = 20

export function chooseCoding(accepted = '', available: { br?: unknown; gzip?: unknown }): 'br' | 'gzip' | null {
  const acceptedCodings = accepted
    .split(',', maxCodings)
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  const acceptsCoding = (coding: string): boolean =>
    acceptedCodings.some(
      ([name, ...rest]) => name === coding && Number(rest.find((word) => word.startsWith('q='))?.slice(2) ?? 1) > 0,
    )
  if (available.br && acceptsCoding('br')) return 'br'
  return available.gzip && acceptsCoding('gzip') ? 'gzip' : null
}
