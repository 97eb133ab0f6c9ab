// Written by `npm run texts`.
declare const messages: {
  "title": "Labels",
  "intro": "What you sort contacts by.",
  "kinds": {
    "statuses": {
      "title": "Statuses",
      "intro": "How far somebody is: lead, customer, lost. A contact has one.",
      "empty": "Add a first one, such as “Lead”.",
      "add": "Add status",
      "edit": "Edit status"
    },
    "sources": {
      "title": "Sources",
      "intro": "Where somebody came from: a fair, the shop, an advert. A contact has one.",
      "empty": "Add a first one, such as “Web shop”.",
      "add": "Add source",
      "edit": "Edit source"
    },
    "groups": {
      "title": "Groups",
      "intro": "Who belongs together: regulars, newsletter, wholesale. A contact has any number.",
      "empty": "Add a first one, such as “Newsletter”.",
      "add": "Add group",
      "edit": "Edit group"
    }
  },
  "name": "Name",
  "color": "Colour",
  "description": "Description",
  "created": "“{name}” is added.",
  "saved": "“{name}” is saved.",
  "deleteTitle": "Delete “{name}”?",
  "deleteText": "It is taken off all its contacts. The contacts stay. This cannot be undone.",
  "deleted": "The label is deleted.",
  "showContacts": "Show contacts"
};
export = messages;
