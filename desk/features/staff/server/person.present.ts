import { maskName } from '#kit/server/masks.ts'

export function maskFullName(fullName: string): string {
  const [first = '', ...rest] = fullName.trim().split(/\s+/)
  return rest.length > 0 ? maskName({ first, last: rest.join(' ') }) : maskName({ first: '', last: first })
}
