import { formatForRegion, type Region } from '#kit/contract/phone.ts'

export function formatDuration(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.round(seconds))
  const padToTwoDigits = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes, secondsPart] = [
    Math.floor(wholeSeconds / 3600),
    Math.floor(wholeSeconds / 60) % 60,
    wholeSeconds % 60,
  ]
  return hours > 0
    ? `${hours}:${padToTwoDigits(minutes)}:${padToTwoDigits(secondsPart)}`
    : `${minutes}:${padToTwoDigits(secondsPart)}`
}

export function formatMegabytes(mb: number): string {
  if (mb > 0 && mb < 0.05) return '< 0.1'
  return mb.toLocaleString('en-NZ', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

export const formatDestination = (destination: string, home: Region): string =>
  destination === '' ? 'Unknown' : formatForRegion(destination, home)

export function getWeekLabel(page: number): string {
  if (page === 0) return 'Last 7 days'
  return page === 1 ? '1 week earlier' : `${page} weeks earlier`
}

export function computeAxisMarks(maxValue: number): number[] {
  const rawStep = Math.max(maxValue, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rawStep))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rawStep) ?? rawStep
  return Array.from({ length: Math.ceil(Math.max(maxValue, 1) / step - 1e-9) + 1 }, (_, mark) =>
    Number((mark * step).toPrecision(6)),
  )
}
