import { Fragment, type ReactNode } from 'react'
import { isSafeLink } from '#kit/contract/links.ts'
import { Link, NewTabLink } from '../Link.tsx'

/**
 * A paragraph of a provider's: `**strong**` and `[text](address)`, which may be in what is strong. All else is text, HTML
 * too, and so is a link whose address may not be one.
 */
export function RichText({ text }: { text: string }): ReactNode {
  return pieces(text, /\*\*(?!\s)([^*]+)(?<!\s)\*\*/g, ([, words = '']) => <strong>{linked(words)}</strong>, linked)
}

const linked = (text: string): ReactNode =>
  pieces(
    text,
    /\[([^[\]]+)\]\(([^()\s]+)\)/g,
    ([all, words = '', address = '']) => linkTo(address, words) ?? all,
    (plain) => plain,
  )

function linkTo(address: string, words: string): ReactNode {
  if (!isSafeLink(address)) return null
  // A link to mail opens no page: a new tab would stay empty.
  const Kind = address.startsWith('https:') ? NewTabLink : Link
  return <Kind href={address}>{words}</Kind>
}

/** What the pattern finds, and what lies between. */
function pieces(
  text: string,
  pattern: RegExp,
  found: (match: RegExpExecArray) => ReactNode,
  between: (text: string) => ReactNode,
): ReactNode {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(between(text.slice(at, match.index)), found(match))
    at = match.index + match[0].length
  }
  return [...parts, between(text.slice(at))].map((part, index) => <Fragment key={index}>{part}</Fragment>)
}
