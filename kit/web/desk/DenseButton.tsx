import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from '../Link.tsx'
import { textInElements } from '../text-elements.tsx'
import { DeskIcon, type DeskIconName } from './DeskIcon.tsx'
import { KeyHint } from './KeyHint.tsx'
import * as s from './DenseButton.module.css'

type Props = {
  /** `word`: no more than a word that can be pressed. */
  kind?: 'primary' | 'quiet' | 'word' | 'bad'
  icon?: DeskIconName
  /** The key that does the same, which the page listens for. */
  keys?: string
  small?: boolean
  /** What it is called where it is no more than an icon, or where its words do not say enough. */
  label?: string
  children?: ReactNode
} & ({ href: string; onClick?: () => void } | ({ href?: undefined } & ButtonHTMLAttributes<HTMLButtonElement>))

const kinds = { primary: s.primary, quiet: '', word: s.word, bad: s.bad }

/** Something to press on the desk: a link when it goes somewhere, else a button, which submits only when its type says so. */
export function DenseButton({ kind = 'quiet', icon, keys, small = false, label, children, ...props }: Props) {
  const className = `${s.button} ${kinds[kind]} ${small ? s.small : ''}`
  const content = (
    <>
      {icon && <DeskIcon name={icon} />}
      {textInElements(children)}
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
