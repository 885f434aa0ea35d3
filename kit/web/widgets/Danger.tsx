import type { ReactNode } from 'react'
import * as s from './Danger.module.css'

export const Danger = ({ children }: { children: ReactNode }) => <span className={s.danger}>{children}</span>
