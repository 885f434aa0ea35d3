import type { ReactNode } from 'react'
import * as s from './Danger.module.css'

/** Makes the buttons of irreversible actions red, whether filled or not, busy or not. */
export const Danger = ({ children }: { children: ReactNode }) => <span className={s.danger}>{children}</span>
