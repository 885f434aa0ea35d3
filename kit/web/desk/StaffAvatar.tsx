import * as s from './Tone.module.css'

const backgrounds = [s.brand, s.warn, s.good, '']

/** A staff member's initials. The full name must appear next to them or be their label. The same name always gets the same colour. */
export function StaffAvatar({ name }: { name: string }) {
  const background =
    backgrounds[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % backgrounds.length]
  return (
    <span className={`${s.mark} ${background}`} aria-hidden="true">
      {getInitials(name)}
    </span>
  )
}

export function getInitials(name: string): string {
  const nameParts = name.trim().split(/\s+/)
  const ends = nameParts.length > 1 ? [nameParts[0], nameParts.at(-1)] : nameParts
  return ends.map((word = '') => [...word][0]?.toUpperCase() ?? '').join('')
}
