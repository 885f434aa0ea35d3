const countFormat = new Intl.NumberFormat('en-NZ')
export const formatCount = (count: number): string => countFormat.format(count)

export const pluralize = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
