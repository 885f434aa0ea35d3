import type { ReactNode } from 'react'
import { SidePanel } from '../widgets/Dialog.tsx'
import * as s from './Drawer.module.css'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  /** At its end: what is pressed. */
  actions?: ReactNode
  /** Below everything: what cannot be done, and why. */
  foot?: ReactNode
}

/** What is done to the page's subject, beside it where there is room for both; on a phone a window from below. */
export function Drawer({ title, open, onClose, children, actions, foot }: Props) {
  return (
    <SidePanel title={title} open={open} onClose={onClose}>
      <div className={s.drawer}>
        {children}
        {actions && <div className={s.actions}>{actions}</div>}
        {foot && <footer className={s.foot}>{foot}</footer>}
      </div>
    </SidePanel>
  )
}
