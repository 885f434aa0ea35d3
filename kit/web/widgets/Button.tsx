import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from '../Link.tsx'
import s from './Button.module.css'

type Look = { kind?: 'primary' | 'quiet' | 'plain'; wide?: boolean; children: ReactNode; className?: string }
type Props = Look &
  (
    | ({ href: string } & { onClick?: () => void; target?: string; rel?: string })
    | ({ href?: undefined } & ButtonHTMLAttributes<HTMLButtonElement>)
  )

const kinds = { primary: '', quiet: s.quiet, plain: s.plain }

/** Something to press: a link when it goes somewhere, else a button, which submits only when its type says so. */
export function Button({ kind = 'primary', wide = false, className = '', ...props }: Props) {
  const look = `${s.button} ${kinds[kind]} ${wide ? s.wide : ''} ${className}`
  return props.href === undefined ? (
    <button type="button" {...props} className={look} />
  ) : (
    <Link {...props} className={look} />
  )
}
