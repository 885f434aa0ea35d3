import type { ReactNode } from 'react'
import * as s from './DangerText.module.css'

export const DangerText = ({ children }: { children: ReactNode }) => <span className={s.danger}>{children}</span>
