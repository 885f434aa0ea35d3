import type { ErrorEntry } from '#kit/contract/errors.ts'
import { getErrorEntryMessage } from '#kit/contract/errors.ts'
import { NewTabLink } from '../Link.tsx'

export function ErrorText({ entry }: { entry: ErrorEntry }) {
  const sentence = <span>{getErrorEntryMessage(entry)}</span>
  if (typeof entry === 'string') return sentence
  return (
    <>
      {sentence}
      {entry.actions.map(({ url, text }) => [
        ' ',
        <NewTabLink key={url + text} href={url}>
          {text}
        </NewTabLink>,
      ])}
    </>
  )
}
