/**
 * Checks the table of promises. Each row must either say “No test.” or name at least one file that exists, and each title in “quotation
 * marks” must occur in the file named before it.
 * @param read returns the text of the file at a path from the root of the repository; null if there is no such file
 * @returns one sentence for each fault
 */
export function findPromiseFaults(markdown: string, read: (path: string) => string | null): string[] {
  return parseRows(markdown).flatMap(({ promise, holders }) => {
    const faults = holders.flatMap((holder) => findTestReferenceFaults(holder, read))
    return holders.length > 0 ? faults : [`“${promise}” names no test, and does not say so.`]
  })
}

type TestReference = { path: string; titles: string[] } | 'none'

const parseRows = (markdown: string): { promise: string; holders: TestReference[] }[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:---|promise \|)/.test(line))
    .map((line) => {
      const [promise = '', held = ''] = line.split(/(?<!\\)\|/).slice(1, 3)
      return { promise: promise.trim(), holders: held.split('<br>').flatMap((item) => parseTestReference(item.trim())) }
    })

function parseTestReference(item: string): TestReference[] {
  if (item.startsWith('No test. ')) return ['none']
  const [, path] = /^`([^`]+)`/.exec(item) ?? []
  if (path === undefined) return []
  return [{ path, titles: [...item.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title.replaceAll('\\|', '|')) }]
}

function findTestReferenceFaults(holder: TestReference, read: (path: string) => string | null): string[] {
  if (holder === 'none') return []
  const text = read(holder.path)?.replaceAll("\\'", "'") ?? null
  if (text === null) return [`${holder.path} does not exist.`]
  const hasTest = (title: string) => ["'", '`', '"'].some((quote) => text.includes(quote + title + quote))
  return holder.titles
    .filter((title) => !hasTest(title))
    .map((title) => `${holder.path} has no test with the title “${title}”.`)
}
