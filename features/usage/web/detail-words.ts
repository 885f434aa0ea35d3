import { formatDialled, type Region } from '#kit/contract/phone.ts'

export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export function formatMegabytes(mb: number): string {
  if (mb > 0 && mb < 0.05) return '< 0.1'
  return mb.toLocaleString('en-NZ', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

export const formatDestination = (destination: string, home: Region): string =>
  destination === '' ? 'Unknown' : formatDialled(destination, home)

export function weekName(page: number): string {
  if (page === 0) return 'Last 7 days'
  return page === 1 ? '1 week earlier' : `${page} weeks earlier`
}

export function scaleFor(most: number): number[] {
  const rough = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step - 1e-9) + 1 }, (_, mark) =>
    Number((mark * step).toPrecision(6)),
  )
}
