import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import { Section, State, States } from './Section.tsx'

export function TextSection() {
  return (
    <Section
      title="Text from the provider"
      note="Text that the provider supplies may contain bold words and links. Everything else, even HTML, is shown as plain text."
    >
      <States>
        <State name="Bold words and links">
          <p>
            <RichText text="Call **123 456** or read [the FAQ](https://example.com/faq)." />
          </p>
        </State>
        <State name="Unsupported markup">
          <p>
            <RichText text="<b>Not bold</b>, [no link](javascript:alert(1))." />
          </p>
        </State>
        <State name="Email address, with a line break before its @">
          <p>
            We’ve sent an email to <EmailAddress of="anahera.rewi-hohepa@post.example.nz" />.
          </p>
        </State>
      </States>
    </Section>
  )
}
