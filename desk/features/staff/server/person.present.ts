import { maskedName } from '#kit/server/masks.ts'

export function maskedFullName(fullName: string): string {
  const [first = '', ...rest] = fullName.trim().split(/\s+/)
  return rest.length > 0 ? maskedName({ first, last: rest.join(' ') }) : maskedName({ first: '', last: first })
}
