import { type ReactNode, type Ref, useId } from 'react'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import type { PlanStatusView } from '#features/services/services.contract.ts'
import * as s from './UpcomingEventCard.module.css'

const toneClasses: Record<PlanStatusView['tone'], string | undefined> = {
  calm: '',
  good: s.good,
  soon: s.soon,
  bad: s.bad,
}

type Props = {
  tone: PlanStatusView['tone']
  icon: IconName
  title: string
  titleRef?: Ref<HTMLHeadingElement>
  children: ReactNode
  acts: ReactNode
}

export function UpcomingEventCard({ tone, icon, title, titleRef, children, acts }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`${s.next} ${toneClasses[tone]}`}>
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
