import type { ReactNode } from 'react'
import { wrapText } from '../text-elements.tsx'
import { Icon, type IconName } from './Icon.tsx'
import * as buttons from './round.module.css'
import * as s from './Banner.module.css'

type Props = {
  kind: 'info' | 'warn' | 'bad' | 'good'
  icon?: IconName
  title?: ReactNode
  children?: ReactNode
  onClose?: () => void
}

const kindClasses = { info: '', warn: s.warn, bad: s.bad, good: s.good }

export function Banner({ kind, icon = kind, title, children, onClose }: Props) {
  return (
    <div className={`${s.banner} ${kindClasses[kind]}`}>
      <Icon name={icon} />
      <div className={s.text}>
        {title && <p className={s.title}>{title}</p>}
        {wrapText(children)}
      </div>
      {onClose && (
        <button type="button" className={`${buttons.round} ${s.close}`} aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
