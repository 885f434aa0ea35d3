const countFormatter = new Intl.NumberFormat('en-NZ')
export const formatCount = (count: number): string => countFormatter.format(count)

export const pluralize = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
