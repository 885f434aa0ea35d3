import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from '../Link.tsx'
import { wrapText } from '../text-elements.tsx'
import { DeskIcon, type DeskIconName } from './DeskIcon.tsx'
import { KeyHint } from './KeyHint.tsx'
import * as s from './DenseButton.module.css'

type Props = {
  kind?: 'primary' | 'quiet' | 'word' | 'bad'
  icon?: DeskIconName
  keys?: string
  small?: boolean
  label?: string
  children?: ReactNode
} & ({ href: string; onClick?: () => void } | ({ href?: undefined } & ButtonHTMLAttributes<HTMLButtonElement>))

const kindClasses = { primary: s.primary, quiet: '', word: s.word, bad: s.bad }

export function DenseButton({ kind = 'quiet', icon, keys, small = false, label, children, ...props }: Props) {
  const className = `${s.button} ${kindClasses[kind]} ${small ? s.small : ''}`
  const content = (
    <>
      {icon && <DeskIcon name={icon} />}
      {wrapText(children)}
      {keys && <KeyHint keys={keys} />}
    </>
  )
  if (props.href !== undefined)
    return (
      <Link {...props} className={className} aria-label={label} aria-keyshortcuts={keys}>
        {content}
      </Link>
    )
  return (
    <button type="button" {...props} className={className} aria-label={label} aria-keyshortcuts={keys}>
      {content}
    </button>
  )
}
