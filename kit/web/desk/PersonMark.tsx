import * as s from './Tone.module.css'

const grounds = [s.brand, s.warn, s.good, '']

/** A staff member's initials, whose full name must stand beside them or label them. A name always gets the same colour. */
export function PersonMark({ name }: { name: string }) {
  const ground = grounds[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % grounds.length]
  return (
    <span className={`${s.mark} ${ground}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word = '') => [...word][0]?.toUpperCase() ?? '').join('')
}
