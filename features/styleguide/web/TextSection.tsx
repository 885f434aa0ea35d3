import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { RichText } from '#kit/web/widgets/RichText.tsx'
import { Section, State, States } from './Section.tsx'

export function TextSection() {
  return (
    <Section
      title="A provider’s words"
      note="From the provider’s files: strong words and links. All else is text, HTML too."
    >
      <States>
        <State name="Strong words and links">
          <p>
            <RichText text="Call **123 456** or read [the FAQ](https://example.com/faq)." />
          </p>
        </State>
        <State name="What is none">
          <p>
            <RichText text="<b>Not bold</b>, [no link](javascript:alert(1))." />
          </p>
        </State>
        <State name="A customer’s address, which breaks before its @">
          <p>
            We’ve sent an email to <EmailAddress of="anahera.rewi-hohepa@post.example.nz" />.
          </p>
        </State>
      </States>
    </Section>
  )
}
