import { DeskIcon, type DeskIconName } from './DeskIcon.tsx'
import type { Tone } from './tone.ts'
import * as s from './Tone.module.css'

const toneClasses = { plain: '', brand: s.brand, good: s.good, warn: s.warn, bad: s.bad }

/** An icon in a circle whose colour shows a tone. The adjacent text must convey the same meaning. */
export function IconMark({ icon, tone = 'plain' }: { icon: DeskIconName; tone?: Tone }) {
  return (
    <span className={`${s.mark} ${toneClasses[tone]}`}>
      <DeskIcon name={icon} />
    </span>
  )
}
