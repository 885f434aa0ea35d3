import type { ReactNode } from 'react'
import { SidePanel } from '../widgets/Dialog.tsx'
import * as s from './Drawer.module.css'

type Props = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  foot?: ReactNode
}

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
