import { type ButtonHTMLAttributes, Fragment, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { Link } from '../Link.tsx'
import { wrapText } from '../text-elements.tsx'
import * as s from './Button.module.css'

type ButtonStyle = { kind?: 'primary' | 'quiet' | 'plain'; wide?: boolean; children: ReactNode; className?: string }
type Props = ButtonStyle &
  (
    | ({ href: string } & {
        onClick?: (event: MouseEvent<HTMLAnchorElement>) => void
        target?: string
        rel?: string
        'aria-busy'?: true | undefined
      })
    | ({ href?: undefined } & ButtonHTMLAttributes<HTMLButtonElement>)
  )

const kindClasses = { primary: '', quiet: s.quiet, plain: s.plain }

/** Displays text in sentence case, although the specification writes it in capitals. The markup keeps the capitals. */
export function renderSentenceCase(text: string): ReactElement {
  if (!/^[A-Z]{2}[^a-z]*$/.test(text)) return <span key={text}>{text}</span>
  // Words are styled as a whole, because a screen reader could read a split word in pieces.
  const words = text.split(' ').map((word, at) => (
    <Fragment key={at}>
      {at > 0 && ' '}
      <span className={getWordClass(word, at === 0)}>{word}</span>
    </Fragment>
  ))
  return <span key={text}>{words}</span>
}

function getWordClass(word: string, isFirst: boolean): string | undefined {
  if (/^(VISA|MC|AMEX|SIM|PIN)$/.test(word)) return undefined
  return isFirst || /^(PREPAY|PLAN|ADD-ONS)$/.test(word) ? s.name : s.word
}

export function Button({ kind = 'primary', wide = false, className = '', children, ...props }: Props) {
  const buttonClass = `${s.button} ${kindClasses[kind]} ${wide ? s.wide : ''} ${className}`
  return props.href === undefined ? (
    <button type="button" {...props} className={buttonClass}>
      {wrapText(children, renderSentenceCase)}
    </button>
  ) : (
    <Link {...props} className={buttonClass}>
      {wrapText(children, renderSentenceCase)}
    </Link>
  )
}
