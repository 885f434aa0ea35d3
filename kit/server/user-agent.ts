type Agent = { browser: string | null; system: string | null }

type UserAgentPatterns = readonly (readonly [mark: string, name: string])[]

// The first matching entry applies. The order matters, because nearly all browsers also claim to be Chrome and Safari.
const browsers: UserAgentPatterns = [
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

const operatingSystems: UserAgentPatterns = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
]

/** Reduces a `User-Agent` header to a browser and system name from our own lists. The header's text itself is never stored or shown. */
export const parseUserAgent = (header: string | undefined): Agent => ({
  browser: findNameInUserAgent(browsers, header),
  system: findNameInUserAgent(operatingSystems, header),
})

const findNameInUserAgent = (marks: UserAgentPatterns, header = ''): string | null =>
  marks.find(([mark]) => header.includes(mark))?.[1] ?? null
