import { useState } from 'react'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { privacyMessages } from '../privacy.contract.ts'
import { DownloadDialog } from './DownloadDialog.tsx'
import * as s from './privacy.module.css'

export function DownloadData() {
  const [isOpen, setOpen] = useState(false)
  const [hasStarted, setStarted] = useState(false)
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>Download your data</h2>
      <p className={s.lead}>
        Get all the data we hold about you in one file: your details, numbers, orders, invoices, number transfers,
        logins and the messages we sent you. It doesn’t include passwords, PINs or full card numbers.
      </p>
      <div role="status">{hasStarted && <Banner kind="good">{privacyMessages.downloading}</Banner>}</div>
      <Button
        kind="quiet"
        className={s.act ?? ''}
        onClick={() => {
          setStarted(false)
          setOpen(true)
        }}
      >
        Download my data
      </Button>
      <DownloadDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        onBegin={() => {
          setOpen(false)
          setStarted(true)
        }}
      />
    </Card>
  )
}
