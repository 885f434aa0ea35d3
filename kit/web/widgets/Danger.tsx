import type { ReactNode } from 'react'
import * as s from './Danger.module.css'

/** Buttons for what cannot be taken back: filled or not, busy or not, they are red. */
export const Danger = ({ children }: { children: ReactNode }) => <span className={s.danger}>{children}</span>
