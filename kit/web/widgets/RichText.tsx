import { Fragment, type ReactNode } from 'react'
import { isSafeLink } from '#kit/contract/links.ts'
import { Link, NewTabLink } from '../Link.tsx'

/**
 * Renders a paragraph of the provider's text, with `**strong**` and `[text](address)`, which may be inside strong text. Everything else
 * stays plain text, including HTML and links whose address is not allowed.
 */
export function RichText({ text }: { text: string }): ReactNode {
  return replaceMatches(
    text,
    /\*\*(?!\s)([^*]+)(?<!\s)\*\*/g,
    ([, words = '']) => <strong>{renderLinks(words)}</strong>,
    renderLinks,
  )
}

const renderLinks = (text: string): ReactNode =>
  replaceMatches(
    text,
    /\[([^[\]]+)\]\(([^()\s]+)\)/g,
    ([all, words = '', address = '']) => renderLink(address, words) ?? all,
    (plain) => plain,
  )

function renderLink(address: string, words: string): ReactNode {
  if (!isSafeLink(address)) return null
  // A `mailto:` link doesn't open a page, so a new tab would stay empty.
  const LinkComponent = address.startsWith('https:') ? NewTabLink : Link
  return <LinkComponent href={address}>{words}</LinkComponent>
}

function replaceMatches(
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
