import { useState } from 'react'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Disclosure, HelpPanel } from '#kit/web/widgets/Disclosure.tsx'
import { Menu } from '#kit/web/widgets/Menu.tsx'
import { Popup } from '#kit/web/widgets/Popup.tsx'
import { Section, State, States } from './Section.tsx'
import * as s from './guide.module.css'

export function MenusSection() {
  const { market } = useBootstrap()
  const [choiceText, setChoiceText] = useState('Nothing chosen yet.')
  const menuItem = (text: string) => ({ text, onSelect: () => setChoiceText(`You chose “${text}”.`) })
  return (
    <Section
      title="Menu, popup, disclosure and help"
      note="A menu supports the arrow keys, Home, End, first letters and Escape."
    >
      <States>
        <State name="Menu">
          <div className={s.row}>
            <Menu
              label="More actions"
              items={[
                menuItem('Disable Auto Renewal'),
                menuItem('Invoices'),
                { text: 'Open this page', url: '/styleguide/?part=controls' },
              ]}
            />
          </div>
          <p role="status" className={s.play}>
            {choiceText}
          </p>
        </State>
        <State name="Popup">
          <div className={s.anchor}>
            11 days left{' '}
            <Popup label="About the days left">
              {`Your data renews at ${appendZone('midnight', market.zone)}, until the last cycle of your Prepay Plan.`}
            </Popup>
          </div>
        </State>
        <State name="Disclosure">
          <Disclosure summary="Prepay Plan terms">
            <p>A Prepay Plan starts on the day you buy it.</p>
            <p>Most customers don’t need to read these details.</p>
          </Disclosure>
        </State>
        <State name="Help panel, closed">
          <HelpPanel title="Where do I find my account number?">
            <p>It is on your bill.</p>
          </HelpPanel>
        </State>
        <State name="Help panel, open">
          <HelpPanel title="Where do I find my SIM number?" open>
            <ol>
              <li>Take out your old SIM.</li>
              <li>Read the 16 to 20 digits printed on it. They start with 89.</li>
            </ol>
          </HelpPanel>
        </State>
      </States>
    </Section>
  )
}
