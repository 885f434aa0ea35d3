import { useState } from 'react'
import { DenseButton } from './DenseButton.tsx'

export function CopyText({ text, children }: { text: string; children: string }) {
  const [statusText, setSaid] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Your browser blocked copying')
    }
  }
  return (
    <>
      <span role="status" className="muted">
        {statusText}
      </span>{' '}
      <DenseButton kind="word" small onClick={() => void copy()}>
        {children}
      </DenseButton>
    </>
  )
}
