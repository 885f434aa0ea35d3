import { deskCatalogue } from './desk-catalogue.ts'
import { showDesk } from './desk-show.ts'

showDesk('desk-customers', deskCatalogue['desk-customers'])
