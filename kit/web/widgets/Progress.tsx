import s from './Progress.module.css'

/** A bar: `value` of `max`. `label` is its name; `kind` sun marks the one thing to look at. */
export function Progress({ value, max, label, kind = 'brand' }: { value: number; max: number; label: string; kind?: 'brand' | 'sun' }) {
  return <progress className={`${s.bar} ${s[kind]}`} value={Math.min(Math.max(value, 0), max)} max={max} aria-label={label} />
}
