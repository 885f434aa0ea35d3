export type Sample = { name: string; labels: Record<string, string>; value: number }

export function parseScrape(text: string): { names: Set<string>; samples: Sample[] } {
  const declaredMetrics = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const names = declaredMetrics.flatMap(([, name = '', type]) =>
    type === 'histogram' || type === 'summary' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: parseLabels(labels),
    value: Number(value),
  }))
  return { names: new Set(names), samples }
}

const parseLabels = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

export const parseMetric = (text: string, name: string, labels: Record<string, string> = {}): number | undefined =>
  parseScrape(text).samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value

export type Selector = { name: string; labels: Record<string, string> }

const words = new Set(['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring', 'bool'])

export function parseSelectors(expression: string): Selector[] {
  const bare = expression.replaceAll(/\b(?:by|without)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/([a-z_]\w*)\s*(\{[^}]*\}|\()?/gi)]
    .filter(([, name = '', after], at, all) => {
      const precedingCharacter = bare.slice((all[at]?.index ?? 0) - 1, all[at]?.index ?? 0)
      return after !== '(' && !words.has(name) && !/[\d["]/.test(precedingCharacter)
    })
    .map(([, name = '', labels = '']) => ({ name, labels: parseLabels(labels.replaceAll(/(?:!=|!~|=~)"/g, '="')) }))
}
