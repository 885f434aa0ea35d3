import { useState } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'

export function CopyNumber({ number }: { number: string }) {
  const [said, setSaid] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(number.replaceAll(/\s/g, ''))
      setSaid('Copied')
    } catch {
      setSaid('Your browser doesn’t allow copying here. Please select and copy the number yourself.')
    }
  }
  return (
    <>
      <Button kind="quiet" aria-label={`Copy ${number}`} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status">{said}</span>
    </>
  )
}
