/** What a customer calls a browser and the system it runs on. */
type Agent = { browser: string | null; system: string | null }

type Marks = readonly (readonly [mark: string, name: string])[]

// The first mark that is there counts: nearly all of them say that they are Chrome and Safari, too.
const browsers: Marks = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['OPT/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['DuckDuckGo/', 'DuckDuckGo'],
  ['Ddg/', 'DuckDuckGo'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Version/', 'Safari'],
]

const systems: Marks = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
]

/** Sums up a `User-Agent` in two words of ours: nothing of the header itself is ever kept or shown. */
export const agentOf = (header: string | undefined): Agent => ({
  browser: nameIn(browsers, header),
  system: nameIn(systems, header),
})

const nameIn = (marks: Marks, header = ''): string | null => marks.find(([mark]) => header.includes(mark))?.[1] ?? null
