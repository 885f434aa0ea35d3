import { type ReactNode, type Ref, useId } from 'react'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import type { OutlookView } from '#features/services/services.contract.ts'
import * as s from './NextCard.module.css'

const tones: Record<OutlookView['tone'], string | undefined> = { calm: '', good: s.good, soon: s.soon, bad: s.bad }

type Props = {
  tone: OutlookView['tone']
  icon: IconName
  title: string
  titleRef?: Ref<HTMLHeadingElement>
  children: ReactNode
  acts: ReactNode
}

export function NextCard({ tone, icon, title, titleRef, children, acts }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`${s.next} ${tones[tone]}`}>
      <Icon name={icon} className={s.icon} />
      <div className={s.words}>
        <h2 id={id} ref={titleRef} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
      <div className={s.acts}>{acts}</div>
    </section>
  )
}
