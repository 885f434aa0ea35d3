import { useState } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'

export function CopyNumberButton({ number }: { number: string }) {
  const [statusMessage, setStatusMessage] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(number.replaceAll(/\s/g, ''))
      setStatusMessage('Copied')
    } catch {
      setStatusMessage('Your browser doesn’t allow copying here. Please select and copy the number yourself.')
    }
  }
  return (
    <>
      <Button kind="quiet" aria-label={`Copy ${number}`} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status">{statusMessage}</span>
    </>
  )
}
