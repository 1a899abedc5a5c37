package gemini

import (
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// schemaTypes are the types of the API's own schemas: words in capitals, whose places in the list are their numbers.
var schemaTypes = []string{"", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// jsonSchema turns a schema of the API's own, older kind into a JSON schema. Types are in small letters, nullable becomes the
// type null, and bounds are numbers.
func jsonSchema(schema llm.JSON) llm.JSON {
	return appendSchema(make([]byte, 0, len(schema)+64), schema, 0)
}

// maxSchema is how deep a schema is read: what lies deeper stays as it is.
const maxSchema = 64

func appendSchema(dst []byte, schema llm.JSON, depth int) []byte {
	if depth++; schema.Kind() != '{' || depth > maxSchema {
		return append(dst, schema...)
	}
	nullable := false
	for name, v := range jsonwalk.Members(schema) {
		nullable = nullable || string(name) == "nullable" && string(v) == "true"
	}
	sep := byte('{')
	for name, v := range jsonwalk.Members(schema) {
		v := llm.JSON(v)
		own := string(camel(name))
		switch own {
		case "nullable":
			continue
		case "ref", "defs":
			own = "$" + own
		case "anyOf", "prefixItems", "propertyOrdering", "additionalProperties", "maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties":
		default:
			own = string(name)
		}
		dst = append(llm.AppendQuote(append(dst, sep), own), ':')
		sep = ','
		switch own {
		case "type":
			dst = appendType(dst, v, nullable)
		case "items", "additionalProperties":
			dst = appendSchema(dst, v, depth)
		case "properties", "$defs":
			dst = appendSchemas(dst, v, depth)
		case "anyOf", "prefixItems":
			dst = appendList(dst, v, depth)
		case "maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties":
			if inner := llm.JSON(v.Inner()); inner.Kind() == '0' && jsonwalk.Valid(inner, jsonwalk.Options{}) == nil {
				v = inner
			}
			dst = append(dst, v...)
		default:
			dst = append(dst, v...)
		}
	}
	if sep == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// appendSchemas appends an object of schemas, whose names are the caller's own.
func appendSchemas(dst []byte, object llm.JSON, depth int) []byte {
	if object.Kind() != '{' {
		return append(dst, object...)
	}
	dst = append(dst, '{')
	sep := ""
	for name, v := range jsonwalk.Members(object) {
		dst = append(llm.AppendQuote(append(dst, sep...), name), ':')
		dst = appendSchema(dst, v, depth)
		sep = ","
	}
	return append(dst, '}')
}

func appendList(dst []byte, list llm.JSON, depth int) []byte {
	if list.Kind() != '[' {
		return append(dst, list...)
	}
	dst = append(dst, '[')
	for i, v := range jsonwalk.Elements(list) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSchema(dst, v, depth)
	}
	return append(dst, ']')
}

func appendType(dst []byte, value llm.JSON, nullable bool) []byte {
	typ := value
	for i, word := range schemaTypes {
		if i > 0 && (value.Text() == word || string(value) == string(rune('0'+i))) {
			typ = llm.Quote(strings.ToLower(word))
		}
	}
	if !nullable || typ.Kind() != '"' {
		return append(dst, typ...)
	}
	return append(append(append(dst, '['), typ...), `,"null"]`...)
}
