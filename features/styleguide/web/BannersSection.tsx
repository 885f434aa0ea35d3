import { useState } from 'react'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Section } from './Section.tsx'

export function BannersSection() {
  const { market } = useBootstrap()
  const [open, setOpen] = useState(true)
  return (
    <Section title="Banners" note="A banner’s kind is shown by its icon and its wording, never by colour alone.">
      <Banner kind="info">{`Data renews at midnight on ${appendZone('16 Dec 2026', market.zone)}.`}</Banner>
      <Banner kind="warn" icon="clock" title={`We’re moving ${simSamples[market.phoneRegion].number}`}>
        This normally takes about 4 hours in business hours. We’ll email you when it’s done.
      </Banner>
      <Banner kind="bad" title="Usage can’t be loaded">
        Sorry, your usage details are currently unavailable. Please refresh and try again.
      </Banner>
      <Banner kind="good">Thank you, we’ve updated your payment details.</Banner>
      {open ? (
        <Banner kind="bad" onClose={() => setOpen(false)}>
          This banner can be closed, and its text is longer than one line on a phone.{' '}
          <Link href="/styleguide/?part=feedback">Try Again</Link>
        </Banner>
      ) : (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          Show the banner again
        </Button>
      )}
    </Section>
  )
}
